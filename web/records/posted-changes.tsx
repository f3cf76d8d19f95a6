import { useQuery } from '@tanstack/react-query'
import { wordedFieldsQuery } from './fields.ts'
import { changeLines, type Post } from './posts.ts'
import classes from './records.module.css'

/** What a post says was changed, by the field's label: "Stage: Inbox → In Progress". */
export function PostedChanges({ model, changes }: { model: string; changes: NonNullable<Post['changes']> }) {
  const { data: fields } = useQuery(wordedFieldsQuery(model))
  // A name that programs use would stand there until the label is known.
  if (fields === undefined) return null
  return (
    <ul className={classes.changes}>
      {changeLines(model, fields, changes).map(({ field, line }) => (
        <li key={field}>{line}</li>
      ))}
    </ul>
  )
}
