/** `buffer` is replaced when the memory grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Node's types do not include WebAssembly. */
interface WebAssemblyApi {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<object>;
}

const { WebAssembly: api } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

export const compileWasm = (bytes: Uint8Array): Promise<object> => api.compile(bytes);

export const wasmMemory = (initial: number, maximum: number): WasmMemory => new api.Memory({ initial, maximum });
