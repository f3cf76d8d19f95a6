import { TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '../design/page-head.tsx'
import { holds } from '../words/folded.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { inGroups } from './model-groups.ts'
import { modelsQuery } from './model-list.ts'
import classes from './records.module.css'

/** Every kind of record one may read. */
export function ModelsPage() {
  const say = useWords('records')
  const { data } = useSuspenseQuery(modelsQuery)
  const models = data
    .map((each) => ({ ...each, label: labelOf(each.label, each.name) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  const [text, setText] = useState('')
  const fitting = models.filter(({ name, label }) => holds(`${label} ${name}`, text))
  return (
    <>
      <PageHead title={say('title')}>
        <TextInput
          aria-label={say('filterModels')}
          placeholder={say('filterModels')}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
      </PageHead>
      {fitting.length === 0 ? <p className={classes.noModels}>{say('noModels', { text })}</p> : null}
      <div className={classes.models}>
        {inGroups(fitting).map(({ group, kinds }) => (
          <section key={group} className={classes.modelGroup} aria-label={say(group)}>
            <h2>{say(group)}</h2>
            {kinds.map(({ name, label }) => (
              <Link key={name} to="/records/$model" params={{ model: name }} className={classes.model} title={name}>
                {label}
              </Link>
            ))}
          </section>
        ))}
      </div>
    </>
  )
}
