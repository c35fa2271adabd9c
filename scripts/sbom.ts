/** `npm run --silent sbom [-- FILE]`: the bill of materials, on standard output or in the file. */
import { writeFileSync } from 'node:fs'
import { billOfMaterials } from './supply/bill.ts'

const [file] = process.argv.slice(2)
const bill = billOfMaterials()
if (file === undefined) process.stdout.write(bill)
else writeFileSync(file, bill)
