import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { isStaff, lookupQuery } from '../data/who-is.ts'
import { Button } from '../design/press.tsx'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './contact.module.css'

const FORMS = {
  international: 'formInternational',
  abroad: 'formAbroad',
  national: 'formNational',
  plusless: 'formPlusless',
} as const
const RULES = {
  nobody: 'ruleNobody',
  only_one: 'ruleOnly',
  oldest: 'ruleOldest',
  several_companies: 'ruleCompanies',
  company_and_stranger: 'ruleStranger',
  only_person_of_company: 'rulePerson',
  company_of_people: 'ruleCompany',
} as const

/** Who calls from a number: how it was read, who has it, and the rule that chose. */
export function ExplainMatch({ number }: { number: string }) {
  const say = useWords('contacts')
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(number)
  const { data, error } = useQuery({ ...lookupQuery(text), enabled: isOpen && text !== '', retry: false })
  const named = (id: number | null) => {
    const found = data?.candidates.find((each) => each.id === id) as { name?: unknown } | undefined
    return typeof found?.name === 'string' ? plain(found.name) : `#${id}`
  }
  const shown = data?.candidates.filter((each) => each.id === data.match || !isStaff(each)) ?? []
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        {say('whoCalls')}
      </Button>
    )
  }
  return (
    <section className={classes.explained} aria-label={say('whoCalls')}>
      <h2>{say('whoCalls')}</h2>
      <TextInput
        label={say('asDialled')}
        value={text}
        error={error === null ? undefined : sentenceOf(error)}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {data === undefined ? null : (
        <>
          <ul>
            {data.forms_tried.map(({ form, e164 }) => (
              <li key={form}>
                {say(FORMS[form])}: <span className="number">{e164 === null ? say('noNumber') : phone(e164)}</span>
              </li>
            ))}
          </ul>
          <p>{say('candidates', { count: shown.length })}</p>
          <ul>
            {shown.map(({ id }) => (
              <li key={id}>
                <Link to={`/contacts/${id}`}>{named(id)}</Link>
              </li>
            ))}
          </ul>
          <p>
            <strong>{data.match === null ? say('nobodyShown') : say('shownAs', { name: named(data.match) })}</strong>{' '}
            {say(RULES[data.rule])}
          </p>
        </>
      )}
    </section>
  )
}
