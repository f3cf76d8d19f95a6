import type { Row, Values } from '../../platform/model/model.ts'
import { type SentenceName, sentence } from './sentence.ts'

/**
 * The values with our own sentences in the record's language: a text that nobody has changed follows when the record is
 * created in, or moves to, another language. `texts` are fields with the sentence each begins with.
 */
export function inItsLanguage(
  values: Values,
  current: Row | undefined,
  texts: Readonly<Record<string, SentenceName>>,
): Values {
  const { language } = values
  if (typeof language !== 'string' || language === current?.language) return values
  const before = typeof current?.language === 'string' ? current.language : undefined
  const moved = Object.entries(texts)
    .filter(([field, name]) => (field in values ? values[field] : current?.[field]) === sentence(name, before))
    .map(([field, name]) => [field, sentence(name, language)])
  return { ...values, ...Object.fromEntries(moved) }
}
