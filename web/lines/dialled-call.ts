import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Offer } from '../design/notices.tsx'
import { tellDone } from '../design/notices.tsx'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { loadWords } from '../words/words.ts'
import { whyWords } from './story-words.ts'
import { whyQuery } from './why-query.ts'

/** By then somebody has picked up, or nobody will. */
const WATCHED_MS = 120_000
/** Endings in which not even that happened which was told when the button was pressed. */
const NOT_AS_TOLD = ['own_phone_not_reached', 'provider_refused', 'number_not_found', 'not_started']

interface Dialled {
  queries: QueryClient
  call: number
  /** Words of the story of a call. */
  say: (key: Keys['story']) => string
  /** Leads to the call. */
  offer: Offer
}

/** Says why a call by a click could not be made, as soon as the provider has told, on whatever page its person is by then. */
export async function tellWhatFailed({ queries, call, say, offer }: Dialled): Promise<void> {
  await loadWords('story')
  const observer = new QueryObserver(queries, whyQuery(call))
  const stop = observer.subscribe(({ data: why }) => {
    if (why === undefined || why.code === 'in_progress') return
    end()
    if (NOT_AS_TOLD.includes(why.code)) tellDone(plain(whyWords(say, why, (name) => name)), offer)
  })
  const late = setTimeout(() => stop(), WATCHED_MS)
  const end = (): void => {
    clearTimeout(late)
    stop()
  }
}
