import { answers, hangUp, hear, press, say } from '../people.ts'
import { addressOf } from './company.ts'
import { several } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550127'
const CALLER = '+14155550227'
const MOBILE = '+14155550327'
const GUS = { name: 'Gus Field', username: 'gusfield', phones: ['web'], mobile: MOBILE } as const

export const mobile: Scenario = {
  name: 'mobile',
  title: 'A voicemail picks up for a mobile and the next phone rings; the second call is taken on the mobile with 1',
  company: { people: [GUS], numbers: [{ number: NUMBER, leadsTo: GUS.name }] },
  async play({ call, phone }) {
    const voicemail = answers([say('This is the voicemail of Gus. Please speak after the tone.', 6)])
    const inPerson = answers([
      hear('a call from'),
      press('1'),
      hear('you are connected'),
      say('Gus on the mobile.'),
      hear('pump'),
      hangUp(),
    ])
    phone(MOBILE, voicemail, inPerson)
    phone(addressOf(GUS, 'web'), answers([say('Gus at the desk.'), hear('pump'), hangUp()]))
    await call({ from: CALLER, to: NUMBER, acts: [hear('at the desk'), say('The pump is broken.')] })
    await call({ from: CALLER, to: NUMBER, acts: [hear('on the mobile'), say('The pump is broken again.')] })
  },
  expects: [
    several(
      2,
      'connect.call',
      { caller: CALLER, called: NUMBER },
      { direction: 'incoming', status: 'completed', answered_user: GUS.name },
    ),
  ],
}
