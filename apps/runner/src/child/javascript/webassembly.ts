/** A memory of WebAssembly; `buffer` is replaced when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that this process uses; the types of Node do not include it. */
interface WebAssemblyApi {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<object>;
}

const { WebAssembly: api } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

/** Compiles a module once, for any number of instances. */
export const compileWasm = (bytes: Uint8Array): Promise<object> => api.compile(bytes);

/** The memory of an instance, in pages of 64 KiB; it can grow to `maximum` and no further. */
export const wasmMemory = (initial: number, maximum: number): WasmMemory => new api.Memory({ initial, maximum });
