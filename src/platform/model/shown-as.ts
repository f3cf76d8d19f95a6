/** What screens make of a field, beside what its kind says. */
export interface ShownAs {
  /** Who changed it from what to what is posted on the record. */
  tracked?: boolean
  /** How it is shown and entered; worked out from its kind and name where it is not said. */
  widget?: Widget
  /** The part of a form that it stands in. */
  section?: string
}

/**
 * `time_of_day` are hours after midnight, and `weekday` is one of seven days from Monday on: people write 18:00 and Tuesday.
 * `time_zone` is chosen from the list of zones, and `language` from that of languages, by name. `money` is an amount with its currency, such as `$12.30 USD`. `word` is a word of the service, which has one in the reader's language. `voice_trait` is what ElevenLabs says of a voice, such as `middle_aged`. `texts_by_language`, `texts_by_name` and `texts` are texts in one JSON value, which people write in rows. `template_content` is what a WhatsApp template holds beside its text, which people write in rows as well. `list_filter` is what a list is filtered by, which people read in words. `program_name` is what a program calls a kind of record, an action or a webhook, and people read in words. `provider_error` is a code of an error of the phone provider, which people read in words. `finding` is what a sync found, in sentences that have words in the reader's language. `order` is the place among the parts of a record, which people move up and down. `none` is read by programs: a provider's address of media, which people reach by our own route.
 */
type Widget =
  | 'phone'
  | 'email'
  | 'link'
  | 'seconds'
  | 'time_of_day'
  | 'weekday'
  | 'time_zone'
  | 'language'
  | 'money'
  | 'order'
  | 'word'
  | 'voice_trait'
  | 'markup'
  | 'long'
  | 'texts_by_language'
  | 'texts_by_name'
  | 'texts'
  | 'template_content'
  | 'list_filter'
  | 'program_name'
  | 'provider_error'
  | 'finding'
  | 'audio'
  | 'audio_url'
  | 'none'

/** What a person is asked before a method is called. */
export interface AskedFirst {
  /** The question; the button below it is the label of the method. */
  confirm?: string
  /** Nothing undoes it. */
  danger?: boolean
}
