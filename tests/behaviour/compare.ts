// `npm run compare-behaviour -- <old> <new>`: says in what two recordings differ, and ends with 1 when they do.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { differencesOf } from './differences.ts'
import type { Recording } from './recorder.ts'

const SHOWN_MAX = 200
const { positionals } = parseArgs({ allowPositionals: true })
const [before, after] = positionals
if (before === undefined || after === undefined) throw new Error('say which two recordings: <old> <new>')
const read = (file: string): Recording => JSON.parse(readFileSync(file, 'utf8')) as Recording
const [old, young] = [read(before), read(after)]
const differences = differencesOf(old, young)
for (const difference of differences.slice(0, SHOWN_MAX)) process.stdout.write(`${difference}\n`)
if (differences.length > SHOWN_MAX) process.stdout.write(`... and ${differences.length - SHOWN_MAX} more\n`)
process.stdout.write(`${old.commit.slice(0, 9)} -> ${young.commit.slice(0, 9)} on ${young.database}: `)
process.stdout.write(`${differences.length} differences\n`)
process.exitCode = differences.length === 0 ? 0 : 1
