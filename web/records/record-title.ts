import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { languageTitle } from '../words/languages.ts'
import { programTitle, programWords } from '../words/program-words.ts'
import { named, reader } from '../words/words.ts'

const STAGES = 'helpdesk.stage'
const LANGUAGES = 'res.lang'
/** An id of Twilio, which is the name of what has no other. */
const SID = /^[A-Z]{2}[0-9a-f]{32}$/

/** What a record is called on a screen. */
export function titleOf(model: string, name: string, id?: number): string {
  if (id !== undefined && SID.test(name)) return `${programWords(model)} #${id}`
  if (model === LANGUAGES) return plain(languageTitle(name, reader().language))
  return model === STAGES ? plain(stageName(name)) : named(programTitle(model, name))
}
