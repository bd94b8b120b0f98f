/** The loops of a process poll at about the same time. */
const GATHER_MS = 50;

interface Question {
  kind: string;
  resolve: (isClaimable: boolean) => void;
  reject: (error: unknown) => void;
}

/** Asks with one statement for all kinds that the loops of this process poll for: most polls find nothing. */
export class ClaimableKinds {
  private gathered: Question[] = [];

  constructor(private readonly among: (kinds: string[]) => Promise<string[]>) {}

  has(kind: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.gathered.length === 0) setTimeout(() => void this.ask(), GATHER_MS);
      this.gathered.push({ kind, resolve, reject });
    });
  }

  private async ask(): Promise<void> {
    const questions = this.gathered;
    this.gathered = [];
    try {
      const found = new Set(await this.among(questions.map(({ kind }) => kind)));
      for (const { kind, resolve } of questions) resolve(found.has(kind));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
}
