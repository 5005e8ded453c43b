import fc from 'fast-check';
import { javascriptPrograms } from './packages/taskpilot/test/support/small-programs.ts';
for (const p of fc.sample(javascriptPrograms, { numRuns: 200, seed: 5 }).sort((x,y)=>x.length-y.length).filter((_,i)=>[20,100,150,199].includes(i))) console.log(p.length, p.slice(0,1500));
