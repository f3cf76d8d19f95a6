import { isUnseen } from '../../unseen.ts'
import { type ProviderForm, readLine } from '../legs/provider-form.ts'

/** A place that somebody shared in WhatsApp; coordinates in decimal degrees. */
export interface SharedLocation {
  latitude: number
  longitude: number
  label: string | null
  address: string | null
}

/** The button or row of a list that somebody tapped: our own id for it, and what it said. */
export interface ChosenOption {
  id: string | null
  title: string | null
}

type Form = ProviderForm['form']

const DECIMAL = /^-?\d{1,3}(?:\.\d{1,20})?$/
const LATITUDE_MAX = 90
const LONGITUDE_MAX = 180

/**
 * The shared location of a WhatsApp message (`Latitude`, `Longitude`, `Label`, `Address`:
 * twilio.com/docs/messaging/guides/webhook-request, "WhatsApp-specific parameters"); undefined where there is none.
 */
export function readLocation(form: Form): SharedLocation | undefined {
  const latitude = readDegrees(form.Latitude, LATITUDE_MAX)
  const longitude = readDegrees(form.Longitude, LONGITUDE_MAX)
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude, longitude, label: readLine(form.Label), address: readLine(form.Address) }
}

/**
 * The tapped quick reply (`ButtonText`, `ButtonPayload`, the same page) or row of a list (`ListId`, `ListTitle`, seen on
 * the wire but on no page of the provider); undefined where there is none.
 */
export function readChosenOption(form: Form): ChosenOption | undefined {
  const id = readLine(form.ButtonPayload) ?? readLine(form.ListId)
  const title = readLine(form.ButtonText) ?? readLine(form.ListTitle)
  return id === null && title === null ? undefined : { id, title }
}

/** The location as one line for people. */
export function locationText({ label, address, latitude, longitude }: SharedLocation): string {
  const names = [label, address].filter((name) => name !== null)
  const place = `${latitude}, ${longitude}`
  return names.length === 0 ? `Location: ${place}` : `Location: ${names.join(', ')} (${place})`
}

/** A map of the place, for a link. */
export function mapUrl({ latitude, longitude }: Pick<SharedLocation, 'latitude' | 'longitude'>): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`
}

/** What a message says: its own text, else what was chosen or shared instead of one. */
export function readableBody(
  body: string,
  { location, chosen }: { location: SharedLocation | undefined; chosen: ChosenOption | undefined },
): string {
  if (!isUnseen(body)) return body
  if (location !== undefined) return locationText(location)
  return chosen?.title ?? chosen?.id ?? body
}

function readDegrees(value: string | undefined, max: number): number | undefined {
  const written = (value ?? '').trim()
  const degrees = Number(written)
  return DECIMAL.test(written) && Math.abs(degrees) <= max ? degrees : undefined
}
