import { Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ModelName } from '../data/client.ts'
import { type FieldInfo, fieldsQuery } from '../data/queries.ts'
import { PageHead } from '../design/page-head.tsx'
import { useWords } from '../words/words.ts'
import { FieldText } from './field-text.tsx'
import { modelsQuery } from './model-list.ts'
import { PagesList } from './pages-list.tsx'
import type { RecordsSearch } from './records-search.ts'
import { ViewPicker } from './view-picker.tsx'

const COLUMNS_MAX = 5
const TYPING_MS = 250
const SHORT_TYPES = ['char', 'selection', 'integer', 'float', 'boolean', 'date', 'datetime', 'many2one']
const SELDOM = ['create_date', 'write_date', 'create_uid', 'write_uid', 'name', 'display_name']

/** The records of any model one may read. */
export function ListPage() {
  const say = useWords('records')
  const { model = '' } = useParams({ strict: false }) as { model?: string }
  const { name } = useSearch({ strict: false }) as RecordsSearch
  const navigate = useNavigate()
  const { data: models } = useSuspenseQuery(modelsQuery)
  const { data: fields } = useSuspenseQuery(fieldsQuery(model))
  const label = models.find((each) => each.name === model)?.label ?? model
  const searchBy = fields.name?.store === true ? 'name' : undefined
  const columns = columnsOf(fields)
  const filter = useDebouncedCallback((text: string) => {
    void navigate({ to: '.', search: text === '' ? {} : { name: text }, replace: true })
  }, TYPING_MS)
  return (
    <>
      <PageHead title={label}>
        <ViewPicker model={model} all={say('allOf', { label })} />
        {searchBy === undefined ? null : (
          <TextInput
            key={name === undefined ? 'all' : 'some'}
            aria-label={say('filter')}
            placeholder={say('filter')}
            defaultValue={name ?? ''}
            onChange={({ currentTarget: { value } }) => filter(value)}
          />
        )}
        <Button component={Link} to={`/records/${model}/new`} variant="default">
          {say('new')}
        </Button>
      </PageHead>
      <PagesList
        model={model as ModelName}
        label={label}
        fields={['id', 'display_name', ...columns.map(({ name: field }) => field)] as never[]}
        domain={name === undefined || searchBy === undefined ? [] : [[searchBy, 'ilike', name]]}
        empty={say('empty')}
        onShowAll={() => void navigate({ to: '.', search: {} })}
        onOpen={({ id }) => void navigate({ to: '/records/$model/$id', params: { model, id: String(id) } })}
        columns={() => [
          { id: 'name', label, width: 'minmax(160px, 2fr)', cell: (row) => nameOf(row) },
          ...columns.map((field) => ({
            id: field.name,
            label: field.string,
            width: 'minmax(100px, 1fr)',
            isHiddenNarrow: field !== columns[0],
            cell: (row: Record<string, unknown>) => <FieldText field={field} value={row[field.name]} />,
          })),
        ]}
      />
    </>
  )
}

function nameOf(row: Record<string, unknown>): string {
  return typeof row.display_name === 'string' && row.display_name !== '' ? row.display_name : `#${row.id}`
}

/** The first short fields, which is what the model's author put first. */
function columnsOf(fields: Record<string, FieldInfo>): FieldInfo[] {
  return Object.values(fields)
    .filter(
      ({ name, type, store, secret }) =>
        store && !secret && name !== 'id' && SHORT_TYPES.includes(type) && !SELDOM.includes(name),
    )
    .slice(0, COLUMNS_MAX)
}
