import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { areNoticesWanted, wantNotices } from '../data/notice-wish.ts'
import { useMe } from '../data/session.ts'
import { areKeysOn, switchKeys } from '../design/keys.ts'
import { PageHead } from '../design/page-head.tsx'
import { chooseLanguage, currentLanguage, type Language, useWords } from '../words/words.ts'
import classes from './me.module.css'
import { PasswordForm } from './password-form.tsx'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** Who one is here, the own password, and how the page looks and listens in this browser. */
export function MePage() {
  const say = useWords('me')
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [hasKeys, setKeys] = useState(areKeysOn())
  const [hasNotices, setNotices] = useState(areNoticesWanted())
  return (
    <>
      <PageHead title={say('title')} />
      <div className={classes.page}>
        <Section title={say('who')}>
          <p>{say('signedInAs', { login: me.login })}</p>
          <p className="dim">{me.groups.join(', ')}</p>
        </Section>
        <Section title={say('appearance')}>
          <SegmentedControl
            aria-label={say('appearance')}
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme as (typeof SCHEMES)[number])}
            data={SCHEMES.map((value) => ({ value, label: say(value) }))}
          />
          <SegmentedControl
            aria-label={say('language')}
            value={currentLanguage()}
            onChange={(language) => chooseLanguage(language as Language)}
            data={[
              { value: 'en', label: 'English' },
              { value: 'de', label: 'Deutsch' },
            ]}
          />
          <Switch
            label={say('keys')}
            checked={hasKeys}
            onChange={({ currentTarget: { checked } }) => {
              switchKeys(checked)
              setKeys(checked)
            }}
          />
          <Switch
            label={say('notices')}
            checked={hasNotices}
            onChange={({ currentTarget: { checked } }) => void wantNotices(checked).then(setNotices)}
          />
        </Section>
        <Section title={say('password')}>
          <PasswordForm />
        </Section>
      </div>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
