/** In which order the phones of somebody ring, as the fields of their phone user say it; pure. */
import type { Values } from './record-values.ts'

/** A step of ringing somebody, by the fields that say whether it is there, when it comes and how long it takes. */
export interface RingStep {
  enabled: string
  priority?: string
  seconds?: string
  /** What it rings, where that is no phone of ours. */
  number?: string
}

/** Phones ring in the order of their priorities, the voicemail takes what nobody answers. */
export const RING_STEPS: readonly RingStep[] = [
  { enabled: 'client_enabled', priority: 'client_priority', seconds: 'client_ring_timeout' },
  { enabled: 'sip_enabled', priority: 'sip_priority', seconds: 'sip_ring_timeout' },
  {
    enabled: 'mobile_enabled',
    priority: 'mobile_priority',
    seconds: 'mobile_ring_timeout',
    number: 'mobile_number',
  },
  { enabled: 'voicemail_enabled' },
]

/** Fields that are drawn as steps, and nowhere else. */
export const STEP_FIELDS: readonly string[] = RING_STEPS.flatMap(({ enabled, priority, seconds, number }) =>
  [enabled, priority, seconds, number].filter((name) => name !== undefined),
)

/** The steps that there are, in their order. */
export function stepsOf(values: Values): RingStep[] {
  const rank = ({ priority }: RingStep) =>
    priority === undefined ? Number.POSITIVE_INFINITY : Number(values[priority])
  return RING_STEPS.filter(({ enabled }) => values[enabled] === true).toSorted((one, other) => {
    const [first, second] = [rank(one), rank(other)]
    return first === second ? 0 : first - second
  })
}

/** The priorities when a phone is moved by so many places; undefined where it cannot be. */
export function movedSteps(steps: readonly RingStep[], at: number, by: number): Values | undefined {
  const phones = steps.filter(({ priority }) => priority !== undefined)
  const moved = phones[at]
  const to = at + by
  if (moved === undefined || phones[to] === undefined) return undefined
  const order = phones.filter((_each, nth) => nth !== at).toSpliced(to, 0, moved)
  return Object.fromEntries(order.map(({ priority = '' }, nth) => [priority, String(nth + 1)]))
}
