// A call by a click that did not get beyond the phone of the person who clicked.
import { expect, test } from 'vitest'
import type { Story } from '../../../src/ledger/timeline/cause.ts'
import { NO_WEB_PHONE } from '../../../src/ledger/timeline/delivery-words.ts'
import { endingOf } from '../../../src/ledger/timeline/endings.ts'

const PIA = 7
const facts = {
  ...{ outcome: 'failed', end_reason: null, direction: 'outgoing', error_message: null, has_failed: false },
  ...{ own_phone: 'Pia', caller_user: PIA, called: '+41445550100', caller: '+41445550199', wanted: '+41445550100' },
}

function fixesFor(readerId: number, sip: string): string[] {
  const ended = { title: 'leg_ended', params: { status: 'failed', to: 'Pia', sip } }
  const story = { facts, moments: [ended], heard: undefined, hasCredentials: true, readerId }
  return endingOf(story as unknown as Story).fixes.map(({ code }) => code)
}

test.each([
  [PIA, NO_WEB_PHONE, ['fix_own_web_phone', 'fix_call_once_more']],
  [PIA, 'SIP 480 Temporarily Unavailable', ['fix_own_phone', 'fix_call_once_more']],
  [8, NO_WEB_PHONE, ['fix_call_once_more']],
])('the reader %i whose phone ended with %s is told what to do', (readerId, sip, codes) => {
  expect(fixesFor(readerId, sip)).toEqual(codes)
})
