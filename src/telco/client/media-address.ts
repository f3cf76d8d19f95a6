import { isOwnNetwork } from '../../public-address.ts'

/** Where audio may be fetched, and whether our credentials may go along. */
export interface MediaAddress {
  url: string
  hasCredentials: boolean
  /** Somebody wrote it: it is asked only where it leads out of this machine's network. */
  isWritten?: boolean
}

const API_HOST = /^api(?:\.[a-z0-9-]+){0,2}\.twilio\.com$/
// Nothing but audio and media of messages: other addresses of the same host answer with secrets of the account.
const AUDIO_PATH = /^\/\d{4}-\d{2}-\d{2}\/Accounts\/\w+\/(?:Calls\/\w+\/)?Recordings\/\w+(?:\.(?:mp3|wav))?$/
const MESSAGE_PATH = /^\/\d{4}-\d{2}-\d{2}\/Accounts\/\w+\/Messages\/\w+\/Media\/\w+$/
/** Storage to which the provider sends its clients on, with addresses that carry their own signature. */
const STORAGE_HOST = /^[a-z0-9-]+\.twiliocdn\.com$/
const SHARED_STORAGE_HOST = /^s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com$/
const SHARED_STORAGE_PATH = /^\/media\.twiliocdn\.com\//

/**
 * The address of audio that the provider keeps, or undefined when it is not one of its own. With a base address in the
 * configuration every host of the provider is that one.
 */
export function audioAddress(written: string, baseUrl: string | undefined): MediaAddress | undefined {
  return addressOf(written, baseUrl, AUDIO_PATH)
}

/** The same for what somebody sent with a message. */
export function messageMediaAddress(written: string, baseUrl: string | undefined): MediaAddress | undefined {
  return addressOf(written, baseUrl, MESSAGE_PATH)
}

function addressOf(written: string, baseUrl: string | undefined, paths: RegExp): MediaAddress | undefined {
  if (!URL.canParse(written)) return undefined
  const url = new URL(written)
  const isOfBase = baseUrl !== undefined && url.origin === new URL(baseUrl).origin
  const isOfProvider = API_HOST.test(url.hostname) && isPlainHttps(url)
  const path = isOfBase ? withoutBasePath(url.pathname, baseUrl) : url.pathname
  if ((!isOfBase && !isOfProvider) || url.username !== '' || !paths.test(path)) return undefined
  const target = `${baseUrl ?? url.origin}${paths === AUDIO_PATH ? asMp3(path) : path}${url.search}`
  return { url: target, hasCredentials: true }
}

/** An address that everybody can open, over https, as far as its name tells; undefined for any other. Nothing of ours goes along. */
export function publicAddress(written: string, baseUrl: string | undefined): MediaAddress | undefined {
  if (!URL.canParse(written)) return undefined
  const url = new URL(written)
  const isOfBase = baseUrl !== undefined && url.origin === new URL(baseUrl).origin
  const isPublic = isPlainHttps(url) && url.username === '' && !isOwnNetwork(url.hostname)
  return isOfBase || isPublic ? { url: url.href, hasCredentials: false, isWritten: !isOfBase } : undefined
}

/** An address of media at the provider, as forms and JSON quote it, whatever the host is that stands for the provider's. */
const QUOTED_MEDIA =
  /https?(?::|%3A)(?:\/|%2F){2}[\w.:%-]{1,200}?(?:\/|%2F)\d{4}-\d{2}-\d{2}(?:\/|%2F)Accounts(?:\/|%2F)\w{1,64}(?:\/|%2F)(?:Calls|Recordings|Messages)[\w./%-]*/gi
const AT_PROVIDER = '(kept by the phone provider)'

/** A text without the addresses at which the provider keeps media. */
export function withoutMediaAddresses(text: string): string {
  return text.replaceAll(QUOTED_MEDIA, AT_PROVIDER)
}

/** Where a redirect of the provider may lead: to its storage, never with our credentials; undefined for anywhere else. */
export function storageAddress(location: string, from: string, baseUrl: string | undefined): MediaAddress | undefined {
  if (!URL.canParse(location, from)) return undefined
  const url = new URL(location, from)
  const isOfBase = baseUrl !== undefined && url.origin === new URL(baseUrl).origin
  const isShared = SHARED_STORAGE_HOST.test(url.hostname) && SHARED_STORAGE_PATH.test(url.pathname)
  const isStorage = isPlainHttps(url) && (STORAGE_HOST.test(url.hostname) || isShared)
  return isOfBase || isStorage ? { url: url.href, hasCredentials: false } : undefined
}

function isPlainHttps(url: URL): boolean {
  return url.protocol === 'https:' && url.port === ''
}

/** Without an ending the provider sends a wave file, several times as large. */
function asMp3(path: string): string {
  return /\.(?:mp3|wav)$/.test(path) ? path : `${path}.mp3`
}

function withoutBasePath(path: string, baseUrl: string): string {
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '')
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}
