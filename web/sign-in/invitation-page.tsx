import { PasswordInput, Select, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { onBack } from '../data/back.ts'
import { send } from '../data/client.ts'
import { ApiError, isPassing, sentenceOf } from '../data/errors.ts'
import { signIn } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { ZoneSelect } from '../design/zone-select.tsx'
import type { Keys } from '../words/keys.ts'
import { BROWSER_ZONE, currentLanguage, formats, useWords } from '../words/words.ts'
import { useLinkToken } from './link-token.ts'
import { problemOf } from './problem.ts'
import classes from './sign-in.module.css'

interface Invitation {
  kind: 'invitation' | 'reset'
  name: string
  login: string
  tz: string | null
  lang: string | null
  groups: string[]
  expires_at: string
}

/** As the service names the languages that the page has. */
const LANGUAGES = [
  { value: 'en_US', label: 'English' },
  { value: 'de_DE', label: 'Deutsch' },
]
const LANGUAGE_OF = { en: 'en_US', de: 'de_DE' } as const

const GROUP_WORDS: Readonly<Record<string, Keys['sign-in']>> = {
  'connect.group_user': 'groupUser',
  'connect.group_admin': 'groupAdmin',
  'base.group_erp_manager': 'groupManager',
  'helpdesk.group_user': 'groupHelpdesk',
  'helpdesk.group_manager': 'groupHelpdeskManager',
  'connect.group_agent_calls': 'groupAgentCalls',
}

/** Where an invitation leads, or a link for a lost password: one chooses a password, once. */
export function InvitationPage() {
  const say = useWords('sign-in')
  const token = useLinkToken()
  useEffect(() => {
    document.title = `${say('invitation')} · Connect`
  })
  return (
    <main className={classes.page}>
      {token === undefined ? <NotValid refusal={say('linkIsNotWhole')} /> : <Opened key={token} token={token} />}
    </main>
  )
}

/** What the link is for; asked again when the service, which could not be reached, is back. */
function Opened({ token }: { token: string }) {
  const say = useWords('sign-in')
  const [invitation, setInvitation] = useState<Invitation>()
  const [failure, setFailure] = useState<unknown>()
  const isAway = isPassing(failure)
  useEffect(() => (isAway ? onBack(() => setFailure(undefined)) : undefined), [isAway])
  const isUnread = invitation === undefined && failure === undefined
  useEffect(() => {
    if (!isUnread) return
    send('/api/invitation', { token }).then((found) => setInvitation(found as Invitation), setFailure)
  }, [token, isUnread])
  if (invitation !== undefined) return <Acceptance token={token} invitation={invitation} />
  if (failure === undefined) return null
  if (failure instanceof ApiError && failure.kind === 'gone') return <NotValid refusal={failure.message} />
  return (
    <section className={classes.form}>
      <h1>{say('linkNotRead')}</h1>
      <p role="alert">{problemOf(failure, say)}</p>
      <Button variant="default" onClick={() => setFailure(undefined)}>
        {say('tryAgain')}
      </Button>
    </section>
  )
}

function NotValid({ refusal }: { refusal: string }) {
  const say = useWords('sign-in')
  return (
    <section className={classes.form}>
      <h1>{say('linkNotValid')}</h1>
      <p>{refusal}</p>
      <a href="/sign-in">{say('signIn')}</a>
    </section>
  )
}

function Acceptance({ token, invitation }: { token: string; invitation: Invitation }) {
  const say = useWords('sign-in')
  const { kind, name, login, groups, expires_at: end } = invitation
  const [tz, setTz] = useState(invitation.tz ?? BROWSER_ZONE)
  const [lang, setLang] = useState(invitation.lang ?? LANGUAGE_OF[currentLanguage()])
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const accept = async (password: string): Promise<void> => {
    await send('/api/invitation/accept', { token, password, tz, lang })
    // Anyone who is not let in by the password alone is asked for the rest at the sign-in.
    await signIn(login, password).catch(() => undefined)
    location.assign('/')
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setSending(true)
    return accept(String(new FormData(event.currentTarget).get('password'))).catch((error: unknown) => {
      setSending(false)
      setProblem(sentenceOf(error))
    })
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <h1>{say(kind === 'reset' ? 'newPassword' : 'welcome', { name })}</h1>
      {kind === 'reset' ? null : <GroupWords groups={groups} />}
      <TextInput name="username" label={say('login')} value={login} readOnly autoComplete="username" />
      <PasswordInput
        name="password"
        label={say(kind === 'reset' ? 'passwordNew' : 'passwordChoose')}
        description={say('passwordRule')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <ZoneSelect label={say('zone')} value={tz} onChange={(zone) => setTz(zone ?? tz)} />
      <Select
        label={say('language')}
        data={LANGUAGES}
        value={lang}
        onChange={(language) => setLang(language ?? lang)}
      />
      <Button type="submit" fullWidth loading={isSending}>
        {say('begin')}
      </Button>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
      <p className="dim">{say('worksUntil', { at: formats.time(end) })}</p>
    </Form>
  )
}

function GroupWords({ groups }: { groups: readonly string[] }) {
  const say = useWords('sign-in')
  const known = groups.flatMap((group) => GROUP_WORDS[group] ?? [])
  if (known.length === 0) return null
  return (
    <div>
      <p>{say('youMay')}</p>
      <ul className={classes.list}>
        {known.map((key) => (
          <li key={key}>{say(key)}</li>
        ))}
      </ul>
    </div>
  )
}
