import { Fragment } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { lineOf } from '../words/for-people.ts'
import { phone, plain } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { languageName } from '../words/languages.ts'
import { moneyIn } from '../words/money.ts'
import { decimal, timeOfDay } from '../words/numerals.ts'
import { partName, programWords } from '../words/program-words.ts'
import { useProviderErrors } from '../words/provider-errors.ts'
import { findingOf } from '../words/server-words.ts'
import { useToolWords } from '../words/tool-words.ts'
import { formats, reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import { FilterText } from './filter-text.tsx'
import { singleOf } from './json-text.tsx'
import { arePartsOf, keyOfRow, partLine, rowsOf } from './parts.ts'
import { PostLink } from './post-link.tsx'
import { titleOf } from './record-title.ts'
import classes from './records.module.css'
import { contentLine } from './template-content.ts'
import { queryOf } from './views.ts'
import { traitOf } from './voice-words.ts'

interface ValueOf {
  field: FieldInfo
  value: unknown
  /** The record that it belongs to, for what is read by another of its fields. */
  record?: Readonly<Record<string, unknown>> | undefined
}

/** The value of any field as text; nothing of it is obeyed, whatever it holds. */
export function FieldText({ field, value, record }: ValueOf) {
  const say = useWords('records')
  if (value === null || value === undefined || value === '') return null
  switch (field.type) {
    case 'boolean':
      return <>{value === true ? say('yes') : say('no')}</>
    case 'many2one':
      return (
        <>{Array.isArray(value) ? titleOf(field.relation ?? '', String(value[1]), Number(value[0])) : String(value)}</>
      )
    case 'one2many':
    case 'many2many':
      return <LinkedText field={field} value={value} />
    case 'selection':
      return <>{field.selection?.find(([choice]) => choice === value)?.[1] ?? String(value)}</>
    case 'datetime':
      return <time dateTime={formats.exact(String(value))}>{formats.time(String(value))}</time>
    case 'float':
      return <>{numberText(field, value)}</>
    case 'json':
      return <JsonLine {...{ field, value, record }} />
    case 'html':
      return <MarkedText field={field} html={String(value)} />
    default:
      return <WidgetText field={field} text={plain(String(value))} />
  }
}

/** A value of lists and named parts in one line. */
function JsonLine({ field, value, record }: ValueOf) {
  const say = useWords('records')
  if (field.widget === 'list_filter') return <FilterText model={String(record?.model ?? '')} query={queryOf(value)} />
  if (field.widget === 'template_content') return plain(contentLine(value))
  return lineOf(foundInWords(field, value), singleOf(say), partName)
}

/** What a sync found, with its sentences in the language of the reader; any other value as it is. */
export function foundInWords(field: FieldInfo, value: unknown): unknown {
  if (field.widget !== 'finding') return value
  if (typeof value === 'string') return findingOf(value)
  if (Array.isArray(value)) return value.map((each) => foundInWords(field, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'name' ? part : foundInWords(field, part)]),
  )
}

/** Parts a line each; of other records how many. */
function LinkedText({ field, value }: { field: FieldInfo; value: unknown }) {
  const say = useWords('records')
  if (!arePartsOf(field, value)) return <>{say('linked', { count: Array.isArray(value) ? value.length : 0 })}</>
  return rowsOf(value).map((row) => (
    <span key={keyOfRow(row)} className={classes.line}>
      {partLine(field.columns, row)}
    </span>
  ))
}

/** A number in the reader's language; of hours the time of day. */
function numberText({ widget }: FieldInfo, value: unknown): string {
  if (typeof value !== 'number') return plain(String(value))
  return widget === 'time_of_day' ? timeOfDay(value) : decimal(value, reader().language)
}

/** A text as its widget shows it; a link says where it leads by itself, and is obeyed only when it leads to the web. */
function WidgetText({ field, text }: { field: FieldInfo; text: string }) {
  if (field.widget === 'provider_error') return <ErrorText code={text} />
  if (field.widget === 'program_name') return <ProgramText field={field} text={text} />
  return <PlainText field={field} text={text} />
}

function PlainText({ field, text }: { field: FieldInfo; text: string }) {
  const say = useWords('records')
  const { widget } = field
  if (widget === 'phone') return <>{phone(text)}</>
  if (widget === 'finding') return <>{findingOf(text)}</>
  if (widget === 'word') return <>{labelOf(text)}</>
  if (widget === 'voice_trait') return <>{traitOf(text, say)}</>
  if (widget === 'time_zone') return <>{zoneName(text, reader().language)}</>
  if (widget === 'language') return <>{languageName(text, reader().language)}</>
  if (widget === 'money') return <>{moneyIn(text, reader().language)}</>
  if (widget === 'seconds' && /^\d+$/.test(text)) return <>{formats.duration(Number(text))}</>
  if (widget === 'audio_url') return <Audio field={field} source={text} />
  if (widget !== 'link' || !/^https?:\/\//.test(text) || !URL.canParse(text)) return <>{text}</>
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" onClick={(event) => event.stopPropagation()}>
      {text}
    </a>
  )
}

/** What the code of an error means; the code alone where that is not known. */
function ErrorText({ code }: { code: string }) {
  const words = useProviderErrors()(code)
  return words === undefined ? code : `${words} (${code})`
}

/** What programs call something in words; of a tool what it does. */
function ProgramText({ field, text }: { field: FieldInfo; text: string }) {
  const tools = useToolWords()
  return field.name === 'tool' ? tools(text) : programWords(text)
}

/** Audio of this service as a player, which loads nothing before somebody plays it; any other by its address. */
function Audio({ field, source }: { field: FieldInfo; source: string }) {
  if (!/^\/(?![/\\])/.test(source)) return <WidgetText field={{ ...field, widget: 'link' }} text={plain(source)} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was said is a field of its own
    <audio className={classes.player} controls preload="none" src={source} aria-label={field.string} />
  )
}

function MarkedText({ field, html }: { field: FieldInfo; html: string }) {
  if (field.widget !== 'audio') return textOf(html)
  const marked = new DOMParser().parseFromString(html, 'text/html')
  const source = marked.querySelector('audio')?.getAttribute('src')
  if (source) return <Audio field={field} source={source} />
  const others = [...marked.querySelectorAll('a, img, video')]
  if (others.length === 0) return <Audio field={field} source={marked.body.textContent.trim()} />
  return others.map((element) => {
    const address = element.getAttribute('href') ?? element.getAttribute('src') ?? ''
    return (
      <Fragment key={address}>
        <PostLink address={address} text={element.textContent || address} />{' '}
      </Fragment>
    )
  })
}

const LINE_ENDS = 'br, p, div, li, tr'

/** What a text marked up says, a line as a line, without its marks: a document of its own runs and loads nothing. */
export function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const end of body.querySelectorAll(LINE_ENDS)) end.after('\n')
  return body.textContent.trim()
}
