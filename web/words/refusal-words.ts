import { namesForPeople } from './for-people.ts'
import { labelOf } from './labels.ts'

type Words = Readonly<Record<string, string>>

/** What a refusal is about, where that is why a provider did not do it: a sentence of its own. */
const WHY: readonly string[] = ['reason', 'sentence']
/** What a value must be like, in English. */
const SHAPE = 'says'
/** What a model is called, and fields of a record, in English. */
const LABEL = 'label'
const LABELS = 'fields'

/** What a refusal is about, and what people call the models and fields that its sentence names. */
export interface Said {
  params: Words
  labels: Words
  model: string
}

interface Worded {
  words: Words
  why?: (sentence: string) => string
  /** What stands beside a field, in the reader's language. */
  help?: (sentence: string) => string
}

/** A refusal in other words where there are any for its code; models and fields are called what people call them. */
export function wordRefusal(
  message: string,
  code: string,
  { params, labels, model, words, why = String, help = String }: Said & Worded,
): string {
  const sentence = own(words, code)
  const tell = (name: string) => {
    const value = params[name] ?? ''
    if (name === LABEL) return labelOf(value)
    if (name === LABELS)
      return value
        .split(', ')
        .map((each) => labelOf(each))
        .join(', ')
    if (name === SHAPE) return help(`Must be ${value}.`)
    return WHY.includes(name) ? why(value) : value
  }
  const said = sentence?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => tell(name)) ?? message
  return namesForPeople(said, (name) => {
    const label = own(labels, name)
    return label === undefined ? undefined : labelOf(label, name.includes('.') ? name : `${model}.${name}`)
  })
}

function own(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}
