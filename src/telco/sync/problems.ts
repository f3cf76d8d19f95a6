import { type Difference, differing } from '../../sync/provider.ts'
import type { GoneSentences } from '../../sync/remove-gone.ts'
import type { ListChange } from '../../sync/shrinkage.ts'

export const NOT_THERE = 'Twilio does not have it.'

/** Where the provider sends calls of something, and what it calls it; a name that is undefined may be any. */
interface CallAddresses {
  name: string | undefined
  voiceUrl: string | undefined
  fallbackUrl: string | undefined
  statusUrl: string | undefined
}

/** What the provider has in another way than it is wanted; undefined when nothing. */
export function callsProblem(there: CallAddresses, wanted: CallAddresses): string | undefined {
  if (wanted.name !== undefined && there.name !== wanted.name) return `Twilio calls it "${there.name}".`
  if (there.voiceUrl !== wanted.voiceUrl) return 'Twilio has another address for its calls.'
  if (there.fallbackUrl !== wanted.fallbackUrl) return 'Twilio has another fallback address.'
  return there.statusUrl === wanted.statusUrl ? undefined : 'Twilio has another address for call events.'
}

/** What the provider has and nobody here knows. */
export function notHere<There extends { sid: string }>(
  what: string,
  found: readonly There[],
  { stored, nameOf }: { stored: readonly { sid: string | null }[]; nameOf(each: There): string },
): Difference[] {
  const strangers = found.filter(({ sid }) => !stored.some((each) => each.sid === sid))
  const problem = 'Twilio has it, but Connect does not know it.'
  return strangers.flatMap((each) => differing({ what, name: nameOf(each) }, problem))
}

/** What a run says of records that the provider lists no more. */
export const GONE: GoneSentences = {
  removed: 'Twilio no longer has it, so it was removed here.',
  stays: 'Twilio no longer has it.',
}

/** What a person reads when a list of the provider's is doubted. */
export function doubted(what: string): (change: ListChange) => string {
  return ({ found, gone }) =>
    `Twilio lists ${found} ${what}, and ${gone} of those known here are not among them: ` +
    'none was removed. If they are really gone, remove them here by hand.'
}
