// What a spreadsheet makes of names and messages that strangers chose: text, and numbers that people can read.
import { expect, test } from 'vitest'
import { csvCell } from '../src/csv-cell.ts'

test.each([
  ['Zoe Meier', 'Zoe Meier'],
  ['+41446681800', '+41446681800'],
  ['+41 (0)44 668-18-00', '+41 (0)44 668-18-00'],
  ['-12.5', '-12.5'],
  ['-1e-7', '-1e-7'],
  ['one, two', '"one, two"'],
  ['one;two', '"one;two"'],
  ['one\ttwo', '"one\ttwo"'],
  ['one|two', '"one|two"'],
  ['say "hi"', '"say ""hi"""'],
  ['a=b', 'a=b'],
  ['+41446681800;+41446681801', '"+41446681800;+41446681801"'],
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-cmd', "'-cmd"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['＝1+1', "'＝1+1"],
  ['＋cmd', "'＋cmd"],
  ['－cmd', "'－cmd"],
  ['＠sum', "'＠sum"],
  ['  =1+1', "'  =1+1"],
  ['\u00a0\u200b=1+1', "'\u00a0\u200b=1+1"],
  ['\u3164\u2800\ufe0f=1+1', "'\u3164\u2800\ufe0f=1+1"],
  ['"=1+1', `"'""=1+1"`],
  [`'=1+1`, "''=1+1"],
  ['“=1+1', "'“=1+1"],
  ['Zoe;=1+1', `"Zoe;'=1+1"`],
  ['Zoe, "=1+1', `"Zoe,' ""=1+1"`],
  ['Zoe\t＝1+1', `"Zoe\t'＝1+1"`],
  ['Zoe|@sum', `"Zoe|'@sum"`],
  ['Zoe\n-cmd', `"Zoe\n'-cmd"`],
  ['+41446681800|cmd', '"+41446681800|cmd"'],
  ['+41446681800;=cmd', `"+41446681800;'=cmd"`],
])('%j is the cell %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})
