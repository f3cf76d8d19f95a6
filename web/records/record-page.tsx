import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { fieldsQuery } from '../data/queries.ts'
import { PageHead } from '../design/page-head.tsx'
import { useWords } from '../words/words.ts'
import { Chatter } from './chatter.tsx'
import { DeleteButton } from './delete-button.tsx'
import { modelsQuery } from './model-list.ts'
import { RecordForm } from './record-form.tsx'
import { draftOf, type Values } from './record-values.ts'
import classes from './records.module.css'

const NEW = 'new'

/** Any record of any model: its fields as a form, and the notes on it. */
export function RecordPage() {
  const say = useWords('records')
  const { model = '', id: address = NEW } = useParams({ strict: false }) as { model?: string; id?: string }
  const id = address === NEW ? undefined : Number(address)
  const { data: models } = useSuspenseQuery(modelsQuery)
  const { data: fields } = useSuspenseQuery(fieldsQuery(model))
  const { data: row } = useSuspenseQuery({
    queryKey: [model, 'one', id],
    queryFn: async () => {
      if (id === undefined) return draftOf(fields)
      const names = Object.values(fields)
        .filter(({ secret, type }) => !secret && type !== 'binary')
        .map(({ name }) => name)
      const rows = (await callByName(model, 'read', { ids: [id], fields: [...names, 'display_name'] })) as Values[]
      const [found] = rows
      if (found === undefined) throw new ApiError(404, say('empty'))
      return found
    },
  })
  const label = models.find((each) => each.name === model)?.label ?? model
  const title = id === undefined ? `${label}: ${say('new')}` : String(row.display_name || `${label} ${id}`)
  const hasChatter = models.find((each) => each.name === model)?.hasChatter === true && id !== undefined
  return (
    <>
      <PageHead title={title}>
        <Link to="/records/$model" params={{ model }}>
          {label}
        </Link>
        {id === undefined ? null : <DeleteButton model={model} id={id} name={title} />}
      </PageHead>
      <div className={hasChatter ? classes.record : undefined}>
        <RecordForm key={`${model} ${address}`} model={model} id={id} fields={fields} row={row} />
        {hasChatter ? <Chatter model={model} id={id} /> : null}
      </div>
    </>
  )
}
