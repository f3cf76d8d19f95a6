import { asError } from '../../errors.ts'
import { isLocalHost, privateAddressProblem } from '../../public-address.ts'

const TIMEOUT_MS = 8_000
const OK = 200

interface Reached {
  reaches: boolean
  sentence: string
  ms: number
}

/** Asks the public address, as a provider would, whether this service answers there. */
export async function checkAddress(apiUrl: string | undefined, { isPlayed }: { isPlayed: boolean }): Promise<Reached> {
  const began = performance.now()
  const answer = (reaches: boolean, sentence: string): Reached => {
    return { reaches, sentence, ms: Math.round(performance.now() - began) }
  }
  if (apiUrl === undefined || !URL.canParse(apiUrl)) return answer(false, 'There is no public address yet.')
  const { hostname, protocol } = new URL(apiUrl)
  if (protocol !== 'https:') return answer(false, 'It is not https: put a proxy with a certificate in front.')
  if (isLocalHost(hostname) || privateAddressProblem(hostname) !== undefined) {
    return answer(false, 'Only this machine or network can reach it.')
  }
  if (isPlayed) return answer(true, 'The providers are played on this machine, and reach this service.')
  try {
    const url = `${apiUrl.replace(/\/+$/, '')}/healthz`
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    const isOurs = reply.status === OK && (await reply.text()).includes('"alive"')
    return isOurs
      ? answer(true, 'It reaches this service.')
      : answer(false, `It answers ${reply.status}, but this service did not: have the proxy hand every path on to it.`)
  } catch (thrown) {
    const error = asError(thrown)
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    return answer(false, `It cannot be reached from here: ${reason}. Check DNS, the certificate and the proxy.`)
  }
}
