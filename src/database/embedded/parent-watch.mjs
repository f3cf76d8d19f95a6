// The thread that ends the engine's process with the service, however that ends: the main thread does not look up while a
// statement runs. JavaScript, because the compiler that TypeScript takes would cost the thread 20 MB.
import { Socket } from 'node:net'

const STANDARD_INPUT = 0

new Socket({ fd: STANDARD_INPUT, readable: true, writable: false })
  .on('error', () => undefined)
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume()
