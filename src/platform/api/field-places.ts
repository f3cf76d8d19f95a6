import { writtenWhen } from '../model/by-hand.ts'
import type { Field } from '../model/fields.ts'
import { type Model, OWN_FIELDS } from '../model/model.ts'

/** Parts of a form where a model does not say others: what one enters, what it is made of, what is linked, what was reported, who and when. */
type Section = 'general' | 'parts' | 'linked' | 'reported' | 'record'

const PHONES = /(?:^|_)(?:phone|mobile|phone_number|caller|called)$/
const EMAILS = /(?:^|_)email$/
const LINKS = /(?:^|_)url$/
const AUDIO = /_widget$/
const AUDIO_URLS = /(?:^|_)audio_url$/
const ZONES = /^tz$/
const LANGUAGES = /^lang$/
const SECONDS = /\(seconds\)$/

/** The part of a form in which a field stands. */
export function sectionOf(model: Model, name: string, field: Field): Section | string {
  if (field.section !== undefined) return field.section
  if (Object.hasOwn(OWN_FIELDS, name)) return 'record'
  if (field.kind === 'one2many' && field.hasParts === true) return 'parts'
  if (field.kind === 'one2many' || field.kind === 'many2many') return 'linked'
  const isReported = field.readonly === true || (field.kind === 'computed' && field.isWritable !== true)
  return isReported || writtenWhen(model, name) === 'never' ? 'reported' : 'general'
}

/** How a field is shown, where that is more than its kind says. */
export function widgetOf(name: string, field: Field): { widget?: string } {
  if (field.widget !== undefined) return { widget: field.widget }
  if (AUDIO.test(name)) return { widget: 'audio' }
  if (SECONDS.test(field.label)) return { widget: 'seconds' }
  const isText = field.kind === 'char' || (field.kind === 'computed' && field.shows === 'char')
  if (!isText) return {}
  const found = (
    [
      [PHONES, 'phone'],
      [EMAILS, 'email'],
      [AUDIO_URLS, 'audio_url'],
      [LINKS, 'link'],
      [ZONES, 'time_zone'],
      [LANGUAGES, 'language'],
    ] as const
  ).find(([each]) => each.test(name))
  return found === undefined ? {} : { widget: found[1] }
}
