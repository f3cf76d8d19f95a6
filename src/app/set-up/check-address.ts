import { publicAddressProblem, type Reached, reachAddress } from '../checks/public-address.ts'

interface Answer {
  reaches: boolean
  sentence: string
  ms: number
}

/** Whether this service answers at the public address, in words for the person who sets it up. */
export async function checkAddress(apiUrl: string | undefined, { isPlayed }: { isPlayed: boolean }): Promise<Answer> {
  const began = performance.now()
  // Providers that are played on this machine reach it by any name.
  const reached = isPlayed ? (publicAddressProblem(apiUrl) ?? { kind: 'reached' as const }) : await reachAddress(apiUrl)
  const reaches = reached.kind === 'reached'
  const ms = Math.round(performance.now() - began)
  return { reaches, sentence: reaches && isPlayed ? PLAYED : sentenceOf(reached), ms }
}

const PLAYED = 'Twilio and ElevenLabs are emulated on this machine and can reach this service.'

function sentenceOf(reached: Reached): string {
  switch (reached.kind) {
    case 'unset':
    case 'unreadable':
      return 'There is no public address yet.'
    case 'not-https':
      return 'It is not https: put a proxy with a certificate in front.'
    case 'local':
      return 'Only this machine or network can reach it.'
    case 'reached':
      return 'It reaches this service.'
    case 'answered-by-others':
      return 'It is answered by something else: have the proxy hand every path on to this service.'
    case 'answered':
      return `It answers ${reached.status}, but this service did not: have the proxy hand every path on to it.`
    case 'unreachable':
      return `It cannot be reached from here: ${reached.reason}. Check DNS, the certificate and the proxy.`
  }
}
