/** The work took longer than the provider waits. */
class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** The result, or a DeadlineError; the work itself goes on and its late failure is nobody's surprise. */
export function withinDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new DeadlineError(deadlineMs))
    // A process that stood still looks at its timers first: an answer that has arrived meanwhile is not too late.
    const timer = setTimeout(() => setImmediate(giveUp), deadlineMs)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
