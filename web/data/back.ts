/** That the service, which could not be reached, can be again: what waits for it is told. */
const waiting = new Set<() => void>()

/** Calls back whenever something was heard of the service that may have been away. */
export function onBack(listener: () => void): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}

/** Sounds that could not be fetched can be played again: a browser does not try by itself. */
export function loadSoundsAgain(): void {
  for (const sound of document.querySelectorAll('audio')) if (sound.error !== null) sound.load()
}

/** Says that something was heard; those that began to wait first are told first. */
export function sayBack(): void {
  for (const listener of [...waiting]) listener()
}
