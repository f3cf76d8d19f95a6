import type { FieldInfo } from '../data/queries.ts'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'

/** The value of any field as text; nothing of it is obeyed, whatever it holds. */
export function FieldText({ field, value }: { field: FieldInfo; value: unknown }) {
  const say = useWords('records')
  if (value === null || value === undefined || value === '') return null
  switch (field.type) {
    case 'boolean':
      return <>{value === true ? say('yes') : say('no')}</>
    case 'many2one':
      return <>{Array.isArray(value) ? plain(String(value[1])) : String(value)}</>
    case 'one2many':
    case 'many2many':
      return <>{say('linked', { count: Array.isArray(value) ? value.length : 0 })}</>
    case 'selection':
      return <>{field.selection?.find(([choice]) => choice === value)?.[1] ?? String(value)}</>
    case 'datetime':
      return <time dateTime={formats.exact(String(value))}>{formats.time(String(value))}</time>
    case 'json':
      return <span className="mono">{JSON.stringify(value, null, 2)}</span>
    case 'html':
      return <>{textOf(String(value))}</>
    default:
      return <WidgetText widget={field.widget} text={plain(String(value))} />
  }
}

/** A text as its widget shows it; a link says where it leads by itself, and is obeyed only when it leads to the web. */
function WidgetText({ widget, text }: { widget: string | undefined; text: string }) {
  if (widget === 'phone') return <>{phone(text)}</>
  if (widget === 'seconds' && /^\d+$/.test(text)) return <>{formats.duration(Number(text))}</>
  if (widget !== 'link' || !/^https?:\/\//.test(text) || !URL.canParse(text)) return <>{text}</>
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" onClick={(event) => event.stopPropagation()}>
      {text}
    </a>
  )
}

/** What a text marked up says, without its marks: a document of its own runs and loads nothing. */
export function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
}
