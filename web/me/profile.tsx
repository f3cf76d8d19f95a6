import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { useMe } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { ZoneSelect } from '../design/zone-select.tsx'
import { changesOf } from '../records/record-values.ts'
import { BROWSER_ZONE, currentLanguage, reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import classes from './me.module.css'

/** As the service names the languages that the page has. */
const LANGUAGES = [
  { value: 'en_GB', label: 'English' },
  { value: 'de_DE', label: 'Deutsch' },
]

/** Name, zone and language, which everybody writes for themselves. */
export function Profile() {
  const say = useWords('me')
  const me = useMe()
  const language = LANGUAGES.find(({ value }) => value.startsWith((me.lang ?? currentLanguage()).slice(0, 2)))
  const before = { name: me.name, tz: me.tz, lang: language?.value ?? null }
  const [given, setGiven] = useState(before)
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  // What is not chosen here is not written: the language shown may be the browser's.
  const changes = changesOf(before, given)
  const isSame = Object.keys(changes).length === 0
  const submit = () =>
    // Everything on the page is shown in that zone and language.
    call('res.users', 'set_preferences', changes).then(
      () => location.reload(),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  return (
    <Form className={classes.form} onSubmit={submit}>
      <p>{say('signedInAs', { login: me.login })}</p>
      <TextInput
        label={say('name')}
        autoComplete="name"
        maxLength={200}
        required
        withAsterisk={false}
        value={given.name}
        onChange={({ currentTarget: { value: name } }) => setGiven({ ...given, name })}
      />
      <ZoneSelect
        label={say('zone')}
        placeholder={
          me.installation.tz === null
            ? say('zoneOfBrowser', { zone: zoneName(BROWSER_ZONE, reader().language) })
            : say('zoneOfCompany', { zone: zoneName(me.installation.tz, reader().language) })
        }
        isClearable
        value={given.tz}
        onChange={(tz) => setGiven({ ...given, tz })}
      />
      <Select
        label={say('language')}
        data={LANGUAGES}
        allowDeselect={false}
        value={given.lang}
        onChange={(lang) => setGiven({ ...given, lang })}
      />
      <Button type="submit" disabled={isSame}>
        {say('save')}
      </Button>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </Form>
  )
}
