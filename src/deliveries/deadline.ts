/** The work took longer than the provider waits. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** The result, or a DeadlineError; the work itself goes on and its late failure is nobody's surprise. */
export function withinDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(deadlineMs)), deadlineMs)
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
