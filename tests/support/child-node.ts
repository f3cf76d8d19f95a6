import path from 'node:path'

/** As `bin/connect` sets it for commands: what Node has compiled once is kept. Nobody builds the page. */
export const CHILD_ENV = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../node_modules/.cache/node'),
  PAGE: 'off',
}

/** A process that lives for seconds does not earn back what optimising the embedded engine costs. */
export const CHILD_FLAGS: readonly string[] = ['--wasm-tiering-budget=1000000000']
