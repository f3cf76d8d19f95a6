import { fetched } from '../data/code.ts'
import { sentenceOf } from '../data/errors.ts'
import { later } from './later.tsx'
import { refuseBeside } from './press.tsx'

const code = () => import('./toasts.tsx')
const place = later(async () => (await code()).Toasts)

/** Where it is told what was done. */
export const Toasts = place.Later

export interface Offer {
  label: string
  run: () => void
}

/** Says what was done, and takes it back or does something else when that is wanted. */
export function tellDone(message: string, ...given: (Offer | undefined)[]): void {
  const offers = given.filter((offer) => offer !== undefined)
  tell(({ showDone }) => showDone(message, offers))
}

/** The same for as long as what is offered can be done. */
export function tellDoneUntil(signal: AbortSignal, message: string, offer: Offer): void {
  tell(({ showDone }) => showDone(message, [offer], signal))
}

/** Says why something was not done, in the service's own sentence: beside what was pressed, below the page where that is gone. */
export function tellRefusal(error: unknown): void {
  refuseBeside(sentenceOf(error), () => tell(({ showRefusal }) => showRefusal(error)))
}

function tell(show: (toasts: Awaited<ReturnType<typeof code>>) => void): void {
  place.fetch()
  void fetched(code).then(show)
}
