import querystring from 'node:querystring'
import type { Form } from './form.ts'
import { originForm, type RequestAddress } from './signature.ts'

/** One way in which the signed address or form may differ from what we take it for, and what to do about it. */
export interface Deviation {
  readonly part: 'scheme' | 'host' | 'port' | 'path' | 'query' | 'form'
  /** A sentence that says which setting is wrong. */
  readonly advice: string
}

/** An address and a form that may have been signed, and how they differ from the ones we expect. */
export interface SignedVariant {
  readonly url: string
  readonly form: Readonly<Form>
  readonly deviations: readonly Deviation[]
}

interface Choice<Value> {
  readonly value: Value
  readonly deviations: readonly Deviation[]
}

/** Ports that services and proxies commonly listen on; any other wrong port remains unexplained. */
const COMMON_PORTS = [80, 443, 3000, 5000, 8000, 8080, 8443]

/** Beyond this an explanation would be a guess. */
const DEVIATIONS_MAX = 3

const WEBHOOKS_PATH = '/telco/webhook/'

/** The address as it came and what is known of the way it took. */
export interface ReceivedAddress extends RequestAddress {
  /** Whether `forwardedHost` is believed (TRUST_PROXY). */
  readonly trustsProxy: boolean
}

/** Everything the provider may have signed for this request, the likeliest first. A bounded list: some thousand. */
export function signedVariants(address: ReceivedAddress, form: Readonly<Form>): SignedVariant[] {
  const target = originForm(address.rawTarget)
  const queryStart = target.indexOf('?')
  const path = queryStart === -1 ? target : target.slice(0, queryStart)
  const query = queryStart === -1 ? '' : target.slice(queryStart + 1)
  const targets = combine(pathChoices(path, address.apiUrl), queryChoices(query), join)
  const urls = combine(combine(schemeChoices(address), hostChoices(address), join), targets, join)
  return combine(urls, formChoices(form, query), (url, signedForm) => ({ url, form: signedForm }))
    .map(({ value, deviations }) => ({ ...value, deviations }))
    .sort((a, b) => a.deviations.length - b.deviations.length)
}

function join(before: string, after: string): string {
  return before + after
}

function combine<A, B, C>(
  first: readonly Choice<A>[],
  second: readonly Choice<B>[],
  merge: (a: A, b: B) => C,
): Choice<C>[] {
  return first.flatMap((a) =>
    second
      .map((b) => ({ value: merge(a.value, b.value), deviations: [...a.deviations, ...b.deviations] }))
      .filter((choice) => choice.deviations.length <= DEVIATIONS_MAX),
  )
}

/** As it came, or as it stands in the settings. */
function expected<Value>(value: Value): Choice<Value> {
  return { value, deviations: [] }
}

function deviating<Value>(part: Deviation['part'], value: Value, advice: string): Choice<Value> {
  return { value, deviations: [{ part, advice }] }
}

function schemeChoices({ apiUrl }: ReceivedAddress): Choice<string>[] {
  const isHttpsAlready = /^https:/i.test((apiUrl ?? '').trim())
  const advice = isHttpsAlready
    ? 'Twilio calls an http:// address. Sync with Twilio, or enter the address with https:// at Twilio.'
    : 'Twilio calls an http:// address. Put https:// in the public address and sync with Twilio.'
  return [expected('https://'), deviating('scheme', 'http://', advice)]
}

function hostChoices({ host, forwardedHost, trustsProxy, apiUrl }: ReceivedAddress): Choice<string>[] {
  const publicHost = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]+)/i.exec((apiUrl ?? '').trim())?.[1]
  const seen = new Map<string, Choice<string>>()
  const add = (value: string, deviations: readonly Deviation[]): void => {
    if (!seen.has(value)) seen.set(value, { value, deviations })
  }
  for (const name of [publicHost, host]) if (name) add(name, [])
  if (forwardedHost) add(forwardedHost, trustsProxy ? [] : [forwardedHostAdvice(forwardedHost, publicHost)])
  for (const { value, deviations } of [...seen.values()]) {
    const bare = value.replace(/:\d+$/, '')
    add(bare, deviations)
    for (const port of COMMON_PORTS) add(`${bare}:${port}`, [...deviations, portAdvice(bare, port)])
  }
  return [...seen.values()]
}

function forwardedHostAdvice(forwardedHost: string, publicHost: string | undefined): Deviation {
  const configured = publicHost === undefined ? 'is not set' : `is ${publicHost}`
  return {
    part: 'host',
    advice: `Twilio calls ${forwardedHost}, but the public address ${configured}. Correct it, or trust your proxy (TRUST_PROXY).`,
  }
}

function portAdvice(host: string, port: number): Deviation {
  return {
    part: 'port',
    advice: `Twilio calls ${host}:${port}. Add this port to the public address, or sync with Twilio.`,
  }
}

function pathChoices(path: string, apiUrl: string | undefined): Choice<string>[] {
  const prefix = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+(\/[^?#\s]*?)\/*(?:[?#].*)?$/i.exec((apiUrl ?? '').trim())?.[1] ?? ''
  const start = path.indexOf(WEBHOOKS_PATH)
  const own = start > 0 ? path.slice(start) : path
  const toggled = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const wrong = (value: string, advice: string) => deviating('path', value, advice)
  const choices = [
    expected(path),
    expected(prefix + path),
    wrong(own, 'A proxy adds a path in front of ours. It must pass the path on unchanged.'),
    wrong(prefix + own, 'A proxy replaces the path of the public address. It must pass the path on unchanged.'),
    wrong(toggled, 'A proxy adds or removes the slash at the end of the path. It must pass the path on unchanged.'),
    wrong(`/${path}`, 'The address at Twilio has two slashes in a row. Sync with Twilio.'),
  ]
  return choices.filter((choice, index) => choices.findIndex((other) => other.value === choice.value) === index)
}

function queryChoices(query: string): Choice<string>[] {
  if (query === '') return [expected('')]
  const asReceived = `?${query}`
  const reencoded = (value: string) =>
    deviating('query', value, 'A proxy encodes the query again. It must pass the query on unchanged.')
  const others = [
    deviating('query', '', 'A proxy adds a query to the address. It must pass the address on unchanged.'),
    reencoded(`?${querystring.stringify(querystring.parse(query))}`),
    reencoded(`?${new URLSearchParams(query)}`),
    reencoded(`?${decoded(query)}`),
    reencoded(`?${query.replaceAll('+', '%20')}`),
    reencoded(`?${query.replaceAll('%20', '+')}`),
    deviating(
      'query',
      `?${query.replaceAll('&amp;', '&')}`,
      'The address at Twilio has an escaped &. Sync with Twilio.',
    ),
  ]
  return [expected(asReceived), ...others.filter(({ value }) => value !== asReceived)]
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
  }
}

function formChoices(form: Readonly<Form>, query: string): Choice<Readonly<Form>>[] {
  const choices: Choice<Readonly<Form>>[] = [expected(form)]
  if (Object.keys(form).length > 0) {
    const advice = 'The signature covers no form fields. Twilio must call with POST, not GET.'
    choices.push(deviating('form', {}, advice))
  }
  if (query !== '') {
    const advice = 'The signature counts the query as form fields. Something on the way signs these requests again.'
    choices.push(deviating('form', { ...querystring.parse(query), ...form } as Form, advice))
  }
  return choices
}
