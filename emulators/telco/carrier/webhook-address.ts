/** How the provider asks an address, read from the fragment of it (docs/reference/providers.md#webhook-retries). */
export interface WebhookAddress {
  /** Without the fragment, which is never sent and never signed. */
  readonly url: string
  readonly connectTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly retriesMax: number
  readonly retriesOn: readonly RetryReason[]
  readonly problems: readonly string[]
}

const RETRY_REASONS = ['4xx', '5xx', 'ct', 'rt', 'all'] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

const EDGES = ['ashburn', 'umatilla', 'dublin', 'frankfurt', 'sydney', 'sao-paulo', 'tokyo', 'singapore', 'roaming']
const LIMITS = { ct: [100, 10_000], rt: [100, 15_000], tt: [100, 15_000], rc: [0, 5] } as const

/** Reads an address as it was configured or stands in markup. */
export function readWebhookAddress(address: string): WebhookAddress {
  const [url = '', fragment = ''] = address.split('#', 2)
  const problems: string[] = []
  const settings = new URLSearchParams(fragment)
  if (fragment.includes('?')) problems.push(`the query of ${address} stands after the fragment and is never sent`)
  for (const [name, value] of settings) {
    const problem = settingProblem(name, value)
    if (problem !== undefined) problems.push(`${problem} in the fragment of ${address}`)
  }
  const number = (name: keyof typeof LIMITS, fallback: number): number => {
    const value = settings.get(name)
    return value !== null && /^\d+$/.test(value) ? Number(value) : fallback
  }
  const retriesOn = (settings.get('rp') ?? 'ct').split(',').filter(isRetryReason)
  return {
    url,
    connectTimeoutMs: number('ct', 5_000),
    totalTimeoutMs: number('tt', 15_000),
    retriesMax: number('rc', 1),
    retriesOn,
    problems,
  }
}

function settingProblem(name: string, value: string): string | undefined {
  switch (name) {
    case 'ct':
    case 'rt':
    case 'tt':
    case 'rc': {
      const [min, max] = LIMITS[name]
      const isGood = /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
      return isGood ? undefined : `${name} must be from ${min} to ${max}`
    }
    case 'rp':
      return value.split(',').every(isRetryReason) ? undefined : `rp may not be ${value}`
    case 'e':
      return value.split(',').every((edge) => EDGES.includes(edge)) ? undefined : `there is no edge ${value}`
    case 'sni':
      return undefined
    default:
      return `there is no setting ${name}`
  }
}

function isRetryReason(text: string): text is RetryReason {
  return RETRY_REASONS.some((reason) => reason === text)
}
