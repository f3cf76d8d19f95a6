import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { UntilSignedOut } from '../design/until-signed-out.tsx'
import { useWords } from '../words/words.ts'
import { Appearance } from './appearance.tsx'
import { Keys } from './keys.tsx'
import classes from './me.module.css'
import { Notices } from './notices.tsx'
import { PasswordForm } from './password-form.tsx'
import { Profile } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { SignOn } from './sign-on.tsx'

/** Who one is here, how one signs in, and how the page looks and listens. */
export function MePage() {
  const say = useWords('me')
  const { features } = useMe()
  const { problem }: { problem?: unknown } = useSearch({ strict: false })
  return (
    <>
      <PageHead title={say('title')} />
      <div className={classes.page}>
        <Section title={say('who')}>
          <Profile />
        </Section>
        <Section title={say('password')}>
          <UntilSignedOut>
            <PasswordForm />
          </UntilSignedOut>
        </Section>
        <Section title={say('secondFactor')}>
          <UntilSignedOut>
            <SecondFactor />
          </UntilSignedOut>
        </Section>
        {features.sso === true ? (
          <Section title={say('signOn')}>
            <UntilSignedOut>
              <SignOn hasFailed={problem !== undefined} />
            </UntilSignedOut>
          </Section>
        ) : null}
        <Section title={say('sessions')}>
          <Sessions />
        </Section>
        <Section title={say('apiKeys')}>
          <Keys />
        </Section>
        <Section title={say('appearanceAndNotices')}>
          <Appearance />
          <Notices />
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
