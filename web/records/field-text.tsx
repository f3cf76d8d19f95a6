import type { FieldInfo } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
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
      return <>{plain(String(value))}</>
  }
}

/** What a text marked up says, without its marks: a document of its own runs and loads nothing. */
export function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
}
