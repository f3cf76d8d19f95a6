import { FocusTrap } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onSignedOut } from '../data/client.ts'
import { fetched } from '../data/code.ts'
import { resumeLive } from '../data/live.ts'
import { useMe } from '../data/session.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { loadWords, useWords } from '../words/words.ts'
import classes from './frame.module.css'

/** The session has ended: the page stays, dimmed, and asks for the password alone, so that nothing typed is lost. */
export function SessionVeil() {
  const say = useWords('shell')
  const { login } = useMe()
  const queries = useQueryClient()
  const [isOver, setOver] = useState(false)
  useEffect(() => onSignedOut(() => void fetched(() => loadWords('sign-in')).then(() => setOver(true))), [])
  if (!isOver) return null
  const goOn = () => {
    setOver(false)
    resumeLive()
    void queries.invalidateQueries()
  }
  return (
    <FocusTrap active>
      <div className={classes.veil} role="dialog" aria-modal="true" aria-label={say('sessionOver')}>
        <SignInForm login={login} title={say('sessionOver')} onDone={goOn} />
      </div>
    </FocusTrap>
  )
}
