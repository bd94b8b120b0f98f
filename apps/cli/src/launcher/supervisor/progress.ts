const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** An animated line on a terminal, plain lines otherwise. */
export interface Progress {
  step(text: string): void;
  log(text: string): void;
  end(): void;
}

function plain(output: NodeJS.WriteStream): Progress {
  const log = (text: string) => void output.write(`${text}\n`);
  return { step: log, log, end: () => undefined };
}

function moving(output: NodeJS.WriteStream): Progress {
  let current = '';
  let frame = 0;
  let timer: NodeJS.Timeout | null = null;
  const draw = () => output.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${current}`);
  const clear = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    output.write('\r\x1b[2K');
  };
  return {
    step(text) {
      current = text;
      draw();
      timer ??= setInterval(draw, 80);
    },
    log(text) {
      const busy = timer !== null;
      output.write(`\r\x1b[2K${text}\n`);
      if (busy) draw();
    },
    end: clear,
  };
}

export function showProgress(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? moving(output) : plain(output);
}
