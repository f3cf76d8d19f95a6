import { phone, phonesIn } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { named } from '../words/words.ts'
import type { Hit } from './search-query.ts'

const BETWEEN = ' · '

/** What a hit is called, and what tells it from others: a number in its groups, once, or words. */
export function hitWords({ model, title, detail }: Hit): { label: string; description: string } {
  const label = phone(named(title))
  const parts = detail.split(BETWEEN).filter((part) => part !== '')
  const [stage = '', ...others] = parts
  const shown = model === 'helpdesk.ticket' ? [stageName(stage), ...others] : parts
  const words = shown.map((part) => named(phonesIn(part))).filter((part) => part !== label)
  return { label, description: words.join(BETWEEN) }
}
