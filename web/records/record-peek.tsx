import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { ActionIcon } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { FieldText } from './field-text.tsx'
import type { Fields } from './fields.ts'
import { titleOf } from './record-title.ts'
import { shownFields, type Values } from './record-values.ts'
import classes from './records.module.css'

interface Props {
  model: string
  id: number
  fields: Fields
  onClose: () => void
}

/** What a record says, beside the list. */
export function RecordPeek({ model, id, fields, onClose }: Props) {
  const say = useWords('records')
  const shown = shownFields(fields).filter(({ heavy, type }) => heavy !== true && !type.endsWith('2many'))
  const { data: row } = useQuery(
    asks({
      queryKey: keyOf(model, 'peek', id),
      queryFn: async () => {
        const names = ['display_name', ...shown.map(({ name }) => name)]
        const [found] = (await callByName(model, 'read', { ids: [id], fields: names })) as Values[]
        return found ?? null
      },
    }),
  )
  const title = titleOf(model, String(row?.display_name || `#${id}`), id)
  return (
    <aside className={classes.peek} aria-label={title}>
      <header className={classes.peekHead}>
        <Link to="/records/$model/$id" params={{ model, id: String(id) }}>
          {title}
        </Link>
        <ActionIcon variant="subtle" aria-label={say('close')} onClick={onClose}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      </header>
      <dl>
        {shown
          .filter(({ name }) => row?.[name] !== null && row?.[name] !== undefined && row[name] !== '')
          .map((field) => (
            <div key={field.name}>
              <dt className={classes.label}>{field.string}</dt>
              <dd className={classes.value}>
                <FieldText field={field} value={row?.[field.name]} record={row ?? undefined} />
              </dd>
            </div>
          ))}
      </dl>
    </aside>
  )
}
