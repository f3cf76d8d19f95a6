import { type Static, Type } from 'typebox'

/** What a moment is about, as the page groups them. */
const Lane = Type.Union([
  Type.Literal('speech'),
  Type.Literal('tools'),
  Type.Literal('routing'),
  Type.Literal('status'),
  Type.Literal('records'),
])

export const Moment = Type.Object({
  at: Type.String({ description: 'Our clock, UTC with milliseconds.' }),
  ms: Type.Integer({ description: 'Milliseconds since the call began; moments are in this order.' }),
  provider_at: Type.Optional(
    Type.String({ description: "The provider's clock, where it is more than a second apart from ours." }),
  ),
  kind: Type.String(),
  lane: Lane,
  title: Type.String({ description: 'A code; the page has words for it.' }),
  params: Type.Record(Type.String(), Type.Unknown()),
  sentence: Type.String({ description: 'The same in English.' }),
  leg: Type.Optional(Type.Integer()),
  ref: Type.Optional(Type.Tuple([Type.String(), Type.Integer()])),
  delivery: Type.Optional(Type.Integer()),
  took_ms: Type.Optional(Type.Integer()),
  budget_ms: Type.Optional(Type.Integer()),
  verdict: Type.Optional(Type.String()),
  has_raw: Type.Boolean({
    description: 'Whether headers and bodies are in `connect.delivery` for everybody who asks.',
  }),
})
/** One thing that happened in a call. */
export type Moment = Static<typeof Moment>

/** What is known of a moment before it has its place on the line of the call. */
export interface Draft
  extends Pick<Moment, 'kind' | 'lane' | 'title' | 'params'>,
    Partial<Pick<Moment, 'leg' | 'ref' | 'delivery' | 'took_ms' | 'budget_ms' | 'verdict'>> {
  /** Milliseconds since 1970, on the clock of the person who wrote it down. */
  writtenMs: number
  clock: 'ours' | 'provider'
  /** When the provider says that it happened, where it says so apart from our own time. */
  happenedMs?: number | undefined
  /** When the platform says that a tool was used, in whole seconds, where its delivery came to us as well. */
  spokenMs?: number
  /** Of what has the same time the lower comes first: a report before what it says of the leg, the end of a leg last. */
  rank: number
}
