import { declines, hangUp, hear, say } from '../people.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550124'
const CALLER = '+14155550224'
const LEO = {
  name: 'Leo Moss',
  username: 'leo',
  phones: ['web'],
  voicemail: '{{user.name}} is out. Please leave a message.',
} as const

export const personalVoicemail: Scenario = {
  name: 'personal-voicemail',
  title: 'A person declines, and the caller leaves a message and hangs up',
  company: { people: [LEO], numbers: [{ number: NUMBER, leadsTo: LEO.name }] },
  async play({ call, phone }) {
    phone(addressOf(LEO, 'web'), declines)
    const acts = [hear('leo moss is out'), hear('(beep)'), say('It is urgent.', 3), hangUp()]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      { direction: 'incoming', answered_user: null, voicemail_url: /\/Recordings\/RE/, voicemail_duration: 3 },
    ),
  ],
}
