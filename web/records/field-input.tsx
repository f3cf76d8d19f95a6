import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { LanguageSelect } from '../design/language-select.tsx'
import { ZoneSelect } from '../design/zone-select.tsx'
import { reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import { CountryPicker } from './country-picker.tsx'
import { ExtensionPicker } from './extension-picker.tsx'
import { FieldText, foundInWords, textOf } from './field-text.tsx'
import { JsonInput } from './json-input.tsx'
import { JsonText } from './json-text.tsx'
import { LinkPicker, type LinkProps } from './link-picker.tsx'
import { LinksPicker } from './links-picker.tsx'
import { EXTENSIONS } from './names.ts'
import { NumberField } from './number-input.tsx'
import { offered } from './offered.ts'
import classes from './records.module.css'
import { TemplateContentInput } from './template-content-input.tsx'
import { isTexts } from './texts.ts'
import { TextsInput } from './texts-input.tsx'
import { TimeInput } from './time-input.tsx'

interface Props {
  field: FieldInfo
  value: unknown
  isWritable: boolean
  problem: string | undefined
  /** The record that it belongs to, with what is typed. */
  record?: Readonly<Record<string, unknown>>
  /** It stands in a table that has its label at the head. */
  isCell?: boolean
  /** Remarked on what is typed. */
  below?: ReactNode
  onChange: (value: unknown) => void
}

const TYPES: Readonly<Record<string, string>> = { phone: 'tel', email: 'email', date: 'date' }
/** What nobody reads over a shoulder: passwords, and the twins of stored secrets. */
const MASKED = /^display_(?!name$)|password$/
const SECRET = { type: 'password', autoComplete: 'new-password' } as const
/** Fields that a person writes in another manner than a program. */
const OF_PROGRAMS = ['time_of_day', 'weekday']
/** What the page writes in the manner of programs; people read it in words. */
const READ_ONLY = ['list_filter', 'program_name']
const LONG = ['text', 'json', 'html', 'one2many', 'many2many']

/** The input that fits the kind of a field; what may not be written is text. */
export function FieldInput(props: Props) {
  const { field, value, isWritable, isCell = false, below } = props
  const isWide = LONG.includes(field.type)
  if (field.widget === 'template_content') {
    return (
      <div className={classes.wide} data-field={field.name}>
        <TemplateContentInput {...props} kind={props.record?.content_type} />
      </div>
    )
  }
  return (
    <div className={isWide ? classes.wide : undefined} data-field={isCell ? undefined : field.name}>
      {isWritable && field.type !== 'html' && !READ_ONLY.includes(field.widget ?? '') ? (
        <Entry {...props} />
      ) : (
        <>
          {isCell ? null : (
            <div className={classes.label} title={field.help ?? undefined}>
              {labelWithZone(field)}
            </div>
          )}
          <div className={classes.value}>
            <ReadOnly field={field} value={value} record={props.record} />
          </div>
        </>
      )}
      {below}
    </div>
  )
}

/** No value, no links, or marks around no words. */
function isNothing({ type, widget }: FieldInfo, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return type === 'html' && widget !== 'audio' && textOf(String(value)) === ''
}

function ReadOnly({ field, value, record }: Pick<Props, 'field' | 'value'> & { record: Props['record'] }) {
  if (isNothing(field, value)) return <span className="dim">–</span>
  const isPairs = field.type === 'json' && field.widget !== 'list_filter'
  return isPairs ? <JsonText value={foundInWords(field, value)} /> : <FieldText {...{ field, value, record }} />
}

/** What is found in a long list by its name, and never typed as programs write it. */
const LISTS = {
  time_zone: ZoneSelect,
  language: LanguageSelect,
} as const

function Entry(props: Props) {
  const { field, value, problem, onChange } = props
  const { widget } = field
  if (isTexts(widget)) return <TextsInput {...{ field, widget, value, problem, onChange }} />
  return widget === 'time_zone' || widget === 'language' ? (
    <Listed {...props} widget={widget} />
  ) : (
    <Editable {...props} />
  )
}

function Listed({ widget, field, value, problem, isCell = false, onChange }: Props & { widget: keyof typeof LISTS }) {
  const say = useWords('records')
  const { common, description } = lookOf(field, problem, isCell)
  const List = LISTS[widget]
  return (
    <List
      {...common}
      description={description}
      placeholder={say('choose')}
      isClearable={!field.required}
      value={typeof value === 'string' && value !== '' ? value : null}
      onChange={onChange}
    />
  )
}

function OneLink({
  field,
  record = {},
  ...props
}: Omit<LinkProps, 'model' | 'domain'> & Pick<Props, 'field' | 'record'>) {
  if (field.relation === 'res.country') return <CountryPicker {...props} />
  if (field.relation === EXTENSIONS && field.domain === undefined) {
    return <ExtensionPicker {...props} spoken={record.language} />
  }
  return <LinkPicker {...props} model={field.relation ?? ''} domain={offered(field.domain, record)} />
}

function Editable({ field, value, problem, record = {}, isCell = false, onChange }: Props) {
  const say = useWords('records')
  const { common, label, description, minRows } = lookOf(field, problem, isCell)
  switch (field.type) {
    case 'boolean':
      return (
        <Switch
          {...common}
          description={description}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'selection':
      return (
        <Select
          {...common}
          description={description}
          clearable={!field.required}
          placeholder={say('choose')}
          data={(field.selection ?? []).map(([choice, label]) => ({ value: choice, label }))}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      )
    case 'integer':
    case 'float':
      return <NumberField {...common} description={description} field={field} value={value} onChange={onChange} />
    case 'many2one':
      return <OneLink {...common} description={description} {...{ field, record, value, onChange }} />
    case 'many2many':
      return (
        <LinksPicker
          {...common}
          label={label}
          description={description}
          model={field.relation ?? ''}
          domain={offered(field.domain, record)}
          value={value}
          onChange={onChange}
        />
      )
    case 'one2many':
      return (
        <LinksPicker
          {...common}
          label={label}
          description={description}
          model={field.relation ?? ''}
          value={value}
          onChange={undefined}
        />
      )
    case 'datetime':
      return <TimeInput {...common} description={description} value={value} onChange={onChange} />
    case 'json':
      return <JsonInput {...common} description={description} value={value} onChange={onChange} />
    case 'text':
      return (
        <Textarea
          {...common}
          description={description}
          autosize
          minRows={minRows}
          maxRows={16}
          value={typed(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          description={description}
          {...(MASKED.test(field.name) ? SECRET : { type: TYPES[field.widget ?? field.type] ?? 'text' })}
          value={typed(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
      )
  }
}

/** In a table the label stands at the head, and a text begins with one line. */
function lookOf(field: FieldInfo, problem: string | undefined, isCell: boolean) {
  const label = labelWithZone(field)
  const common = { error: problem, withAsterisk: field.required }
  return isCell
    ? { common: { ...common, 'aria-label': label }, label, description: undefined, minRows: 1 }
    : { common: { ...common, label }, label, description: helpOf(field), minRows: 2 }
}

/** Of times and weekdays the help says how programs write them. */
function helpOf({ help, widget = '' }: FieldInfo): string | undefined {
  return OF_PROGRAMS.includes(widget) ? undefined : (help ?? undefined)
}

/** Times are in the zone of the page, which says so. */
function labelWithZone({ string: label, type }: FieldInfo): string {
  return type === 'datetime' ? `${label} (${zoneName(reader().zone, reader().language)})` : label
}

function typed(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
