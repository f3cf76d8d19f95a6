import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ModelName } from '../data/client.ts'
import type { FieldInfo } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { phone } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { named, useWords } from '../words/words.ts'
import { BulkMethods } from './bulk-methods.tsx'
import { FieldText } from './field-text.tsx'
import { drawnFieldsQuery } from './fields.ts'
import { columnsOf, numberIn, readFor, targetIn } from './list-columns.ts'
import { canFilter, ListFilters } from './list-filters.tsx'
import { keepOrder } from './list-order.ts'
import { mayMake } from './made-by-hand.ts'
import { modelsQuery } from './model-list.ts'
import { storedNames } from './names-query.ts'
import { outOfUse } from './out-of-use.ts'
import { PagesList } from './pages-list.tsx'
import { RecordPeek } from './record-peek.tsx'
import { titleOf } from './record-title.ts'
import classes from './records.module.css'
import { domainOf, orderOf, type RecordsSearch } from './records-search.ts'
import { SearchInput } from './search-input.tsx'
import { chosenDomain, useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { ViewPicker } from './view-picker.tsx'

/** Numbers are bought where one says what answers them. */
const NUMBERS = 'connect.telco.number'
/** Beside the name, in the two lines of a card. */
const NARROW_COLUMNS_MAX = 3

/** The records of any model one may read. */
export function ListPage() {
  const { model = '' } = useParams({ strict: false }) as { model?: string }
  // Another model is another list: nothing of what was selected or typed goes along.
  return <RecordList key={model} model={model} />
}

function RecordList({ model }: { model: string }) {
  const say = useWords('records')
  const search = useSearch({ strict: false }) as RecordsSearch
  const navigate = useNavigate()
  const me = useMe()
  const [peeked, setPeeked] = useState<number>()
  const { data: models } = useSuspenseQuery(modelsQuery)
  const { data: fields } = useSuspenseQuery(drawnFieldsQuery(model))
  const label = labelOf(models.find((each) => each.name === model)?.label ?? model, model)
  const columns = columnsOf(model, fields)
  const change = (part: Partial<RecordsSearch>, replace = false) =>
    void navigate({ to: '.', search: { ...search, ...part } as never, replace })
  const domain = domainOf(
    search,
    (field) => fields[field]?.searchable === true,
    (field) => canFilter(fields[field]),
    (shown) => storedNames(model, shown),
  )
  const order = orderOf(search, (field) => fields[field]?.sortable === true)
  const selection = useSelection(JSON.stringify(domain))
  return (
    <>
      <PageHead title={label}>
        <ViewPicker model={model} all={say('allOf', { label })} />
        {fields.name?.searchable === true ? (
          <SearchInput label={say('filter')} text={search.name} onSearch={(name) => change({ name } as never, true)} />
        ) : null}
        <ListFilters fields={fields} where={search.where ?? {}} onChange={(where) => change({ where } as never)} />
        {model === NUMBERS && mayDo(me, model, 'c') ? (
          <Button variant="default" component={Link} to="/settings/set-up" search={{ step: 'number' } as never}>
            {say('getNumber')}
          </Button>
        ) : null}
        {mayMake(me, model) ? (
          <Button component={Link} to={`/records/${model}/new`}>
            {say('new')}
          </Button>
        ) : null}
      </PageHead>
      <div className={classes.listAndPeek}>
        <PagesList
          model={model as ModelName}
          label={label}
          fields={
            ['id', 'display_name', ...('active' in fields ? ['active'] : []), ...readFor(model, columns)] as never[]
          }
          domain={domain}
          order={order}
          empty={say('empty')}
          onShowAll={() => void navigate({ to: '.', search: {} })}
          onOpen={({ id }, rows) => {
            keepOrder(
              model,
              rows.map((row) => row.id),
            )
            void navigate({ to: '/records/$model/$id', params: { model, id: String(id) } })
          }}
          onPeek={({ id }) => setPeeked(id === peeked ? undefined : id)}
          selection={selection}
          actions={(total) => (
            <SelectionBar
              model={model}
              fields={['display_name', ...columns.map(({ name: field }) => field)]}
              domain={domain}
              order={order}
              nameLabel={label}
              selection={selection}
              total={total}
            >
              <BulkMethods model={model} domain={chosenDomain(selection, domain)} />
            </SelectionBar>
          )}
          columns={() => [
            { id: 'name', label, width: 'minmax(160px, 2fr)', cell: (row) => <Name model={model} row={row} /> },
            ...columns.map((field) => ({
              id: field.name,
              label: field.string,
              width: 'minmax(100px, 1fr)',
              isHiddenNarrow: columns.indexOf(field) >= NARROW_COLUMNS_MAX,
              sort: sortOf(field, search.sort, (sort) => change({ sort } as never)),
              cell: (row: Record<string, unknown>) => <Cell model={model} field={field} row={row} />,
            })),
          ]}
        />
        {peeked === undefined ? null : (
          <RecordPeek model={model} id={peeked} fields={fields} onClose={() => setPeeked(undefined)} />
        )}
      </div>
    </>
  )
}

/** The name of a record; what is out of use looks so. */
function Name({ model, row }: { model: string; row: Record<string, unknown> }) {
  const say = useWords('records')
  const word = outOfUse(model, row, say)
  return word === undefined ? nameOf(model, row) : <span className="dim">{`${nameOf(model, row)} · ${word}`}</span>
}

/** A value under its head; where lists are cards there is none, and what is so is named instead. */
function Cell({ model, field, row }: { model: string; field: FieldInfo; row: Record<string, unknown> }) {
  const target = targetIn(model, field, row)
  const value = row[field.name]
  if (target !== undefined) return target === null ? null : named(target)
  const number = numberIn(model, field, row)
  if (number !== undefined) return phone(number)
  if (field.type !== 'boolean') return <FieldText field={field} value={value} />
  return (
    <>
      <span className={classes.underHead}>
        <FieldText field={field} value={value} />
      </span>
      {value === true ? <span className={classes.onCard}>{field.string}</span> : null}
    </>
  )
}

/** What a press on the head of a column does: up, down, and back to the newest first. */
function sortOf({ name, indexed, sortable }: FieldInfo, sort: string | undefined, onChange: (sort?: string) => void) {
  if (indexed !== true || sortable !== true) return undefined
  if (sort === name) return { direction: 'ascending', onSort: () => onChange(`-${name}`) } as const
  if (sort === `-${name}`) return { direction: 'descending', onSort: () => onChange() } as const
  return { direction: 'none', onSort: () => onChange(name) } as const
}

function nameOf(model: string, row: Record<string, unknown>): string {
  return typeof row.display_name === 'string' && row.display_name !== ''
    ? phone(titleOf(model, row.display_name, Number(row.id)))
    : `#${row.id}`
}
