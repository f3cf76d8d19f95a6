import { expect, test } from 'vitest'
import { answerWords, eventWords, sipWords } from '../../../src/ledger/calls/delivery-story.ts'

test.each([
  [
    'CallStatus=failed&SipResponseCode=404&To=sip:a@b.example.com:5060',
    'failed: SIP 404 Not Found, answered by b.example.com',
  ],
  ['CallStatus=busy&SipResponseCode=486', 'busy: SIP 486 Busy Here'],
  ['CallStatus=failed&SipResponseCode=699', 'failed: SIP 699'],
  ['CallStatus=completed&SipResponseCode=200', 'completed'],
  [
    'CallStatus=in-progress&DialCallStatus=failed&DialSipResponseCode=404',
    'what was dialled is failed: SIP 404 Not Found',
  ],
  ['CallStatus=failed&ErrorCode=13224&ErrorMessage=Invalid+number', 'failed: error 13224 Invalid number'],
  ['', ''],
])('the report %s is %s', (form, words) => {
  expect(eventWords(new URLSearchParams(form))).toBe(words)
})

test.each([
  ['<Response><Say>Bye &amp; thanks!</Say><Hangup/></Response>', 'says "Bye & thanks!", hangs up'],
  ['<Response><Dial timeout="20"><Sip statusCallback="x">sip:a@b?X-Ref=1</Sip></Dial></Response>', 'dials sip:a@b'],
  ['<Response></Response>', ''],
  ['{"ticket_id": 1}', ''],
  ['{"ticket_number":7,"ticket_name":"It leaks","say":"Done."}', 'ticket 7 "It leaks"'],
  ['{"ticket_number":7,"ticket_na', ''],
  ['null', ''],
  ['1', ''],
])('the answer %s is: %s', (reply, words) => {
  expect(answerWords(reply)).toBe(words)
})

test('a leg that was answered has no reason', () => {
  expect(sipWords(new URLSearchParams('SipResponseCode=200'))).toBe('')
})
