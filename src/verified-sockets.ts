import type { Socket } from 'node:net'

const verified = new WeakSet<Socket>()

/** Notes that the sender at the other end of a connection proved who they are: by a signature, token, key or session. */
export function noteVerified(socket: Socket): void {
  verified.add(socket)
}

/** Whether the sender proved who they are; of a proxy's connection, the sender of the request that is on it now. */
export function isVerified(socket: Socket): boolean {
  return verified.has(socket)
}

/** Takes the proof back: the next request on a proxy's connection is somebody else's. */
export function forgetVerified(socket: Socket): void {
  verified.delete(socket)
}
