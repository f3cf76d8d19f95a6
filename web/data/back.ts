import { pause } from './code.ts'

/** That the service, which could not be reached, can be again: what waits for it is told. */
const waiting = new Set<() => void>()
/** Where no stream of changes tells of it, as before somebody has signed in, the service is asked so often. */
const ASK_EVERY_MS = 2_000

let isTold = false
let isAsking = false

/** Calls back whenever something was heard of the service that may have been away. */
export function onBack(listener: () => void): () => void {
  waiting.add(listener)
  void ask()
  return () => waiting.delete(listener)
}

/** Whether a stream of changes says when the service is heard of, so that nobody has to ask. */
export function streamTellsBack(isTelling: boolean): void {
  isTold = isTelling
  void ask()
}

async function ask(): Promise<void> {
  if (isAsking) return
  isAsking = true
  while (!isTold && waiting.size > 0) {
    await pause(ASK_EVERY_MS)
    if (await hasDatabase()) sayBack()
  }
  isAsking = false
}

/** Whether the service answers and has its database: it takes requests then, whatever else it lacks. */
function hasDatabase(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' })
    .then((reply) => reply.json())
    .then(
      (answer: { database?: boolean }) => answer.database === true,
      () => false,
    )
}

/** Sounds that could not be fetched can be played again: a browser does not try by itself. */
export function loadSoundsAgain(): void {
  for (const sound of document.querySelectorAll('audio')) if (sound.error !== null) sound.load()
}

/** Says that something was heard; those that began to wait first are told first. */
export function sayBack(): void {
  for (const listener of [...waiting]) listener()
}
