import { PasswordInput, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { send } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import classes from './me.module.css'

/** A new password, given by the person who knows the old one; it ends the other sessions. */
export function PasswordForm() {
  const say = useWords('me')
  const [answer, setAnswer] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const given = new FormData(form)
    const body = {
      current: String(given.get('password')),
      next: String(given.get('next')),
      end_keys: given.get('end_keys') !== null,
    }
    return send('/api/password', body).then(
      () => {
        form.reset()
        setAnswer(say('passwordChanged'))
      },
      (error: unknown) => setAnswer(sentenceOf(error)),
    )
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <PasswordInput
        name="password"
        label={say('oldPassword')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <PasswordInput
        name="next"
        label={say('newPassword')}
        autoComplete="new-password"
        minLength={12}
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Switch name="end_keys" label={say('endKeys')} />
      <Button type="submit" variant="default">
        {say('changePassword')}
      </Button>
      <p role="status">{answer}</p>
    </Form>
  )
}
