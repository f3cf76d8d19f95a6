import type { Socket } from 'node:net'

/**
 * A call that has arrived is answered however long that takes us: who hears nothing of a thousand records that were written would send
 * them again. Silence closes the connection again once the answer is there.
 */
export async function untilAnswered<Result>(
  socket: Pick<Socket, 'timeout' | 'setTimeout'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { timeout = 0 } = socket
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    socket.setTimeout(timeout)
  }
}
